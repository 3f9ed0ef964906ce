/// By Python: (int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 11) / 2**53
enum GoldenHashes {
    /// Of `0:s0`.
    static let zero = 0.18234151446077118
    /// Of `7:s0`.
    static let seven = 0.9981829270929832
    /// Of `0:Zaunkönig`.
    static let german = 0.4578252932678921
}
