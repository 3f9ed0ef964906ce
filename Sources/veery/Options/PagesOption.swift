import ArgumentParser
import FeatureModel

extension DCTFilterPages: ExpressibleByArgument {}
