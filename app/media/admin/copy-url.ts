import { copyText } from '../../ui/lib/copy-text.ts';
import { showError } from '../../ui/show-error.ts';
import { toast } from '../../ui/toast.ts';
import type { MediaFile } from '../media.ts';

/** Copies the public URL of a file to the clipboard. */
export async function copyUrl(file: MediaFile): Promise<void> {
  try {
    await copyText(file.url);
    toast.success('URL copied to clipboard');
  } catch (error) {
    showError('Could not copy the URL', error);
  }
}
