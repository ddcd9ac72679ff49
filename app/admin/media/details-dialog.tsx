import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Link2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { editPlace } from '../../content/edit-place.ts';
import { isPicture, type MediaFile, mediaUsageQuery } from '../../data/media.ts';
import { formatDate } from '../../lib/format-date.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/tell-failure.ts';
import { MediaThumbnail } from '../pictures/media-thumbnail.tsx';
import { AltForm } from './alt-form.tsx';
import { copyUrl } from './copy-url.ts';
import { sizeInWords, typeInWords } from './file-facts.ts';

interface DetailsDialogProps {
  file: MediaFile;
  onClose: () => void;
  onDelete: () => void;
}

/** All that is known about a file. */
export function DetailsDialog({ file, onClose, onDelete }: DetailsDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title="File details"
      footer={
        <>
          <Button variant="secondary" onClick={onDelete}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
          <Button onClick={() => void copyUrl(file)}>
            <Link2 aria-hidden="true" />
            Copy URL
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-2">
        <MediaThumbnail file={file} className="aspect-4/3 rounded-md border border-line" />
        <div className="grid grid-cols-1 gap-5">
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-[0.9375rem]">
            <Fact name="Name">{file.title}</Fact>
            <Fact name="Type">{typeInWords(file)}</Fact>
            <Fact name="Size">{sizeInWords(file.size)}</Fact>
            {file.width !== null && file.height !== null && (
              <Fact name="Dimensions">
                {file.width} × {file.height} px
              </Fact>
            )}
            <Fact name="Uploaded">{formatDate(file.created_at)}</Fact>
            <Fact name="Address">
              <a href={file.url} target="_blank" rel="noopener" className="text-accent underline underline-offset-4">
                {file.name}
              </a>
            </Fact>
          </dl>
          {isPicture(file) && <AltForm file={file} />}
          <Usage name={file.name} />
        </div>
      </div>
    </Dialog>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

function Usage({ name }: { name: string }) {
  const { data: places, error } = useQuery(mediaUsageQuery(name));
  return (
    <section className="grid gap-1.5">
      <h3 className="text-sm font-medium">Used in</h3>
      {error && <p className="text-sm text-danger">{messageOf(error)}</p>}
      {!places && !error && <p className="text-sm text-muted">Loading...</p>}
      {places?.length === 0 && <p className="text-sm text-muted">Nowhere yet.</p>}
      {places && places.length > 0 && (
        <ul className="grid gap-1 text-[0.9375rem]">
          {places.map((place) => {
            const { words, path } = editPlace(place);
            return (
              <li key={place.id}>
                <Link to={path} className="text-accent underline underline-offset-4 [overflow-wrap:anywhere]">
                  {words}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
