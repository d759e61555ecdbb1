"""What a reader reads off a chart of bars."""


def read_off(axes):
    """Each bar's height, by framework and device as a reader finds them: by place and colour."""
    frameworks = [label.get_text() for label in axes.get_xticklabels()]
    legend = axes.get_legend()
    colours = [patch.get_facecolor() for patch in legend.get_patches()]
    devices = dict(zip(colours, (text.get_text() for text in legend.get_texts()), strict=True))
    return {
        (frameworks[round(bar.get_x() + bar.get_width() / 2)], devices[bar.get_facecolor()]): (
            bar.get_height()
        )
        for bar in axes.patches
    }
