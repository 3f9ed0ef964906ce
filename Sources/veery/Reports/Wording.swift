import FeaturePipeline

/// Figures as a person reads them: the words of the reports, for all that the program says.
typealias Wording = FeaturePipeline.Wording
