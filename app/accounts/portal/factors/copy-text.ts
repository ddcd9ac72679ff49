import { showError } from '../../../ui/show-error.ts';
import { toast } from '../../../ui/toast.ts';

/** Copies a text to the clipboard and shows a toast. */
export async function copyText(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(message);
  } catch (error) {
    showError('Could not copy', error);
  }
}
