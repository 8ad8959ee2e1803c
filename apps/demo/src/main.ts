process.stdout.write('The demo is not written yet. It will play all memory layers, offline.\n')
