package threadgauge.checks.bad.cli

/** Nobody may know this one. */
class Prints
