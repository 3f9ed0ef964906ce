"""Pictures of 'veery render', as tests compare them."""

from PIL import Image

# Pixels of the recording's name, and of the settings below it.
TITLE = 50


def below_title(path):
    """The pixels of a picture without its title, which names the settings that it was drawn by."""
    with Image.open(path) as image:
        return image.crop((0, TITLE, *image.size)).tobytes()
