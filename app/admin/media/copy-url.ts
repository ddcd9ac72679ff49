import type { MediaFile } from '../../data/media.ts';
import { toast } from '../../ui/toast.ts';
import { copyText } from '../copy-text.ts';
import { messageOf } from '../form/message-of.ts';

/** Writes the public URL of a file to the clipboard. */
export async function copyUrl(file: MediaFile): Promise<void> {
  try {
    await copyText(file.url);
    toast.success('URL copied to clipboard');
  } catch (error) {
    toast.error('The URL could not be copied', messageOf(error));
  }
}
