"""What of the wheel depends on how it was built: its tag, its licence and its home page."""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class PlatformTag(BuildHookInterface[Any]):
    """It has programs for one kind of machine, for any Python 3."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ['VEERY_PLATFORM']}"


class LinkedLicences(MetadataHookInterface):
    """The licence of all that is linked into it, and the address of its sources."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["license"] = (Path(self.root) / "licence").read_text().strip()
        home = os.environ.get("VEERY_HOME_PAGE")
        metadata["urls"] = {
            "Homepage": home, "Documentation": f"{home}/tree/HEAD/Schemas/guide", "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
            "Issues": f"{home}/issues"} if home else {}
