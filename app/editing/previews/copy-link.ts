import { copyText } from '../../ui/lib/copy-text.ts';
import { toast } from '../../ui/toast.ts';

/** Puts the address of a preview into the clipboard and says so. */
export function copyLink(address: string): void {
  copyText(address).then(
    () => toast.success('Preview link copied'),
    () => toast.error('Error copying preview link', 'Select the link and copy it yourself.'),
  );
}
