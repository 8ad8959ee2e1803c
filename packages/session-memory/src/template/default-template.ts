/** Ten sections, each with a line that says what goes there. */
export const DEFAULT_TEMPLATE = `# Session Title
_Five to ten words that tell this session from all others. No filler._

# Current State
_What is being worked on right now, what is not finished yet, and the very next steps._

# Task Specification
_What the user asked for, with every rule and correction that still holds. Decisions and their reasons._

# Files and Functions
_The files that matter, what is in them, and why they matter. Exact paths and names._

# Workflow
_Which commands are run in which order, and how to read what they print._

# Errors & Corrections
_What went wrong and how it was put right. What the user corrected. What was tried, failed, and is not to be tried again._

# Codebase and System Documentation
_The parts of the system and how they fit together._

# Learnings
_What has worked well, what has not, what to avoid. Nothing that stands in another section._

# Key Results
_Answers, tables and documents that the user asked for, word for word._

# Worklog
_Step by step, what was tried and done. One short line for each step._
`
