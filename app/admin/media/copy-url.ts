import type { MediaFile } from '../../data/media/media.ts';
import { copyText } from '../../lib/copy-text.ts';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.ts';

/** Writes the public URL of a file to the clipboard. */
export async function copyUrl(file: MediaFile): Promise<void> {
  try {
    await copyText(file.url);
    toast.success('URL copied to clipboard');
  } catch (error) {
    tellFailure('The URL could not be copied', error);
  }
}
