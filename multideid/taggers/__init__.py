"""Base taggers: their contract, adapters, registry, parameters and conformance suite."""
