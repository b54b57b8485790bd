from dralloc._native import *
