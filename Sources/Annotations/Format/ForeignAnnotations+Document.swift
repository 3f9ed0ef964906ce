import Manifests

extension ForeignAnnotations {
    /// The format of an annotation file; nil: none of these.
    package init?(_ document: AnnotationDocument) {
        self.init(fileName: document.name, start: String(decoding: document.bytes.prefix(1 << 16), as: UTF8.self))
    }
}
