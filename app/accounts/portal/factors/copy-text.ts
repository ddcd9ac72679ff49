import { tellFailure } from '../../../ui/show-error.ts';
import { toast } from '../../../ui/toast.ts';

/** Writes a text to the clipboard and says so. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(done);
  } catch (error) {
    tellFailure('This could not be copied', error);
  }
}
