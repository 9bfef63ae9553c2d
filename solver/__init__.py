"""A toolkit for the patience Xiang Shi Fu, with Daifugō and Cuajo in the same house."""
