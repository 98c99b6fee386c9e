"""An SVM with a kernel of choice that separates PHI from other tokens (Tafvizi)."""

from multideid.base_systems.svm_kernel.tagger import SvmKernelTagger

__all__ = ["SvmKernelTagger"]
