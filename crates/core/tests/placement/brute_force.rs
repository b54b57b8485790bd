//! Random questions against all picks, tried one after the other.
