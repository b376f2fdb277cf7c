"""The credit assignment compiler: who acts, what deviates, which decision is to blame."""
