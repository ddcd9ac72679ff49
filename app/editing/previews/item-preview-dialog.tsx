import { ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkForm } from './link-form.tsx';

interface ItemPreviewDialogProps {
  kind: string;
  id: string;
  onClose: () => void;
}

export default function ItemPreviewDialog({ kind, id, onClose }: ItemPreviewDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Preview link"
      description="Anyone with the link can see the last saved version on the site, even if it is not published."
      footer={
        <ButtonLink to="/admin/previews" variant="ghost">
          All preview links
        </ButtonLink>
      }
    >
      <LinkForm item={{ kind, id }} />
    </Dialog>
  );
}
