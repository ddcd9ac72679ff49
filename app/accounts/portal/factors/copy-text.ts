import { showError } from '../../../ui/show-error.ts';
import { toast } from '../../../ui/toast.ts';

/** Copies a text to the clipboard and shows a toast. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(done);
  } catch (error) {
    showError('Could not copy', error);
  }
}
