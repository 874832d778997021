"""The siteswap generator: all patterns of a number of props, highest throw and period."""

from juggle_anim.generator.generate import Generated as Generated
from juggle_anim.generator.generate import Search as Search
from juggle_anim.generator.generate import find_patterns as find_patterns
from juggle_anim.generator.generate import find_with_passages as find_with_passages
from juggle_anim.generator.options import GeneratorOptions as GeneratorOptions
from juggle_anim.generator.options import read_arguments as read_arguments
