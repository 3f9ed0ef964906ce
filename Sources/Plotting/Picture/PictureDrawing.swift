/// Draws the parts of a picture where its layout puts them.
struct PictureDrawing {
    let picture: SpectrogramPicture
    let layout: PictureLayout
    let canvas: Canvas

    private var sizes: PrintSizes { layout.sizes }

    /// Draws the whole picture; returns what became of each panel's annotations.
    func draw() -> [AnnotationCount] {
        var annotations: [AnnotationCount] = []
        for (panel, place) in zip(picture.panels, layout.panels) {
            let drawing = PanelDrawing(
                panel: panel, layout: place, sizes: sizes, values: layout.values, colors: picture.style.colors,
                lanes: layout.lanes, isAlone: picture.panels.count == 1, canvas: canvas)
            annotations.append(drawing.draw())
        }
        if picture.panels.contains(where: { $0.matrix.rows > 0 }) {
            ColorBarDrawing(
                bar: layout.bar, ticks: layout.valueTicks, beyond: layout.beyond, name: picture.valueLabel,
                nameEnd: picture.style.columns - sizes.margin, nameLimit: layout.bar.height + 2 * sizes.margin,
                colors: picture.style.colors, sizes: sizes, canvas: canvas
            ).draw()
        }
        return annotations
    }
}
