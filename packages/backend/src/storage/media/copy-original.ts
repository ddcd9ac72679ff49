/** Implements "Keep the original": an upload can store the original picture in addition to the published picture. */
import { createReadStream } from 'node:fs';
import { type StagedFile, stageFile } from '../bytes/staged-file.ts';
import type { BucketRow } from '../objects.ts';
import type { ReceivedUpload } from '../receive-upload.ts';
import { MAX_FILE_BYTES, type Storage } from '../storage.ts';

/** Copies an uploaded picture whose metadata has `keep_original: true`, because preparing it changes the file. */
export async function copyOriginal(
  { stagingFolder, options }: Storage,
  bucket: BucketRow,
  { file, userMetadata }: ReceivedUpload,
): Promise<StagedFile | undefined> {
  if (bucket.id !== options.mediaLibrary?.bucket || userMetadata?.['keep_original'] !== true) return undefined;
  return stageFile(stagingFolder, createReadStream(file.path), MAX_FILE_BYTES);
}
