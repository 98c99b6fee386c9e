"""An SVM of a kernel of one's choice that tells PHI from the rest (Tafvizi)."""

from multideid.base_systems.svm_kernel.tagger import SvmKernelTagger

__all__ = ["SvmKernelTagger"]
