"""Any presidio-analyzer engine as a base system."""

from multideid.base_systems.presidio.engine import EngineSettings, make_engine
from multideid.base_systems.presidio.tagger import PresidioTagger

__all__ = ["EngineSettings", "PresidioTagger", "make_engine"]
