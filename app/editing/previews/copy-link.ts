import { copyText } from '../../ui/lib/copy-text.ts';
import { toast } from '../../ui/toast.ts';

/** Copies a preview link to the clipboard and shows a toast. */
export function copyLink(url: string): void {
  copyText(url).then(
    () => toast.success('Preview link copied'),
    () => toast.error('Could not copy the preview link', 'Select the link and copy it manually.'),
  );
}
