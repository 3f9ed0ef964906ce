"""Single files of toolkits, as modules: what these import from the toolkit is replaced, so that its other requirements are not needed."""

import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import logging
import sys
import types
import warnings
from pathlib import PurePath

import torch
import transformers

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
transformers.logging.set_verbosity_error()
torch.set_num_threads(1)


class Placeholder(type):
    """A class for every name of a toolkit that is not loaded: it ignores what is called on it, and returns what it decorates."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        # Of a decorator that is made by a call, too.
        return lambda *_, **__: lambda decorated=None, *_, **__: decorated


def placeholder(name):
    def new(cls, *arguments, **_):
        return arguments[0] if arguments and "is_placeholder" in vars(cls) else object.__new__(cls)

    return Placeholder(name, (), {"__new__": new, "is_placeholder": True})


class PlaceholderModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return placeholder(name)


class Placeholders(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Single layers are loaded from these toolkits, by their files; what these import from the toolkit is replaced."""

    TOOLKITS = {"avex", "batdetect2", "bigvgan", "einops", "encodec", "espnet", "espnet2", "f5_tts", "flash_attn", "funasr", "nemo", "pyannote", "resemblyzer", "speechbrain",
                "torch_complex", "vocos", "x_transformers"}

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.TOOLKITS:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return PlaceholderModule(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Placeholders())


def located(package, path):
    """The path of a file of an installed package."""
    return next(str(file.locate()) for file in importlib.metadata.files(package) if str(file) == path)


def file_of(package, path, without=()):
    """The module in a file of an installed package; modules that it imports and does not need are replaced."""
    spec = importlib.util.spec_from_file_location(path.replace("/", "_").removesuffix(".py"), located(package, path))
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    # For what it imports from its own folder.
    module.__package__ = str(PurePath(path).parent).replace("/", ".")
    needless = {name: PlaceholderModule(name) for name in without if name not in sys.modules}
    sys.modules.update(needless)
    spec.loader.exec_module(module)
    for name in needless:
        del sys.modules[name]
    return module


def as_imported(package, path):
    """The same, for other files that import it by its name in the package."""
    name = str(PurePath(path).with_suffix("")).replace("/", ".")
    sys.modules[name] = module = file_of(package, path)
    return module


def extractor(name, **options):
    return getattr(transformers, name)(**options)
