"""The sweep of mutations: small true samples of every dataset and annotation format, each changed by one thing.

| module | what it holds |
|---|---|
| `sounds` | recordings whose every 50 ms say which file, channel and time they are |
| `files` | the changes: of a table, of JSON Lines, of an encoding, of the files of a folder |
| `expectations` | what a change must lead to: neutral, changed, remarked or an error |
| `observation` | one run of the program: its rows, its features, its remarks |
| `verdict` | whether an observation is what was stated; a silent one is the worst |
| `samples` | a sample and its mutations, and the list of all |
| the others | the formats; each table states what its format's own documentation says |
"""
