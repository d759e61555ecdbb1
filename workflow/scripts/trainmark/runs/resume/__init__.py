"""What a later call of Snakemake keeps of an earlier one, and what it tries again."""
