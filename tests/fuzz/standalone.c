/* SPDX-License-Identifier: MIT */
/*
 * main() for a fuzz target in a build without libFuzzer: every file and every
 * folder's files given as arguments go through the target once.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static int replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	long size = -1;
	uint8_t *data = NULL;
	if (f && fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	if (size >= 0) {
		/* Of the exact size, so that a sanitizer sees a step beyond it. */
		data = malloc((size_t)size ? (size_t)size : 1);
		rewind(f);
	}
	if (!data || fread(data, 1, (size_t)size, f) != (size_t)size) {
		perror(path);
		return 1;
	}
	fclose(f);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	return 0;
}

static int replay_folder(const char *folder, DIR *dir, unsigned *count)
{
	char path[4096];
	int bad = 0;
	for (struct dirent *d; (d = readdir(dir));) {
		if (d->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", folder, d->d_name) >= (int)sizeof(path))
			return 1;
		/* Named before it runs: the last name is the input that crashed. */
		fprintf(stderr, "%s\n", path);
		bad |= replay(path);
		++*count;
	}
	return bad;
}

int main(int argc, char **argv)
{
	unsigned count = 0;
	int bad = 0;
	for (int i = 1; i < argc; i++) {
		DIR *dir = opendir(argv[i]);
		if (dir) {
			bad |= replay_folder(argv[i], dir, &count);
			closedir(dir);
		} else {
			bad |= replay(argv[i]);
			count++;
		}
	}
	printf("%u inputs\n", count);
	return bad || !count;
}
