import FeatureModel

extension FeatureAxis {
    /// Name of the dataset, and of the dimension of `/features` that it scales.
    var name: String {
        switch self {
        case .frequency: "frequency"
        case .coefficient: "coefficient"
        }
    }

    /// Unit of the values: a number of order has none, which netCDF writes as 1.
    var units: String {
        switch self {
        case .frequency: "Hz"
        case .coefficient: "1"
        }
    }

    /// What the values are, in words.
    var longName: String {
        switch self {
        case .frequency: "centre frequency of the bin"
        case .coefficient: "order of the cepstral coefficient"
        }
    }
}
