"""Results beside those of others: an earlier one, other machines, phones, logs from elsewhere."""
