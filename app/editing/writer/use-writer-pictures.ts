import { type RefObject, useState } from 'react';
import { useAllowed } from '../../api/host/page-policy.ts';
import { uploadMedia, uploadPictureMutation } from '../../media/media.ts';
import { Refusal } from '../../ui/lib/refusal.ts';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { fetchPicture } from './fetch-picture.ts';
import { describePicture, type Edit, insertBlock, movePicture, type Passage } from './markdown-edits.ts';
import type { PastedPicture } from './paste/paste.ts';
import { performEditElsewhere } from './perform-edit.ts';

/** Picture that needs alt text or can be uploaded. */
export interface TrayPicture {
  address: string;
  alt: string;
  /** URL of a picture from elsewhere. Null if it is not available. */
  source?: string | null;
  isUploading?: boolean;
  problem?: string;
}

export interface WriterPictures {
  /** Number of running uploads. */
  uploading: number;
  tray: readonly TrayPicture[];
  upload: (files: File[]) => void;
  /** Uploads pasted or dropped pictures. Returns false if the data contains no picture. */
  take: (data: DataTransfer) => boolean;
  /** Adds the pictures of a paste. */
  list: (pictures: readonly PastedPicture[]) => void;
  describe: (picture: TrayPicture, alt: string) => void;
  fetch: (picture: TrayPicture) => Promise<void>;
  remove: (picture: TrayPicture) => void;
  dismiss: (pictures: readonly TrayPicture[]) => void;
}

/** Tracks pictures added to a text and their open questions, without blocking the writer. */
export function useWriterPictures(
  area: RefObject<HTMLTextAreaElement | null>,
  perform: (makeEdit: (passage: Passage) => Edit) => void,
): WriterPictures {
  const [uploading, setUploading] = useState(0);
  const [tray, setTray] = useState<readonly TrayPicture[]>([]);
  const isAllowed = useAllowed('pictures');
  const change = (address: string, changes: Partial<TrayPicture>) =>
    setTray((pictures) => pictures.map((each) => (each.address === address ? { ...each, ...changes } : each)));
  const dismiss = (gone: readonly TrayPicture[]) =>
    setTray((pictures) => pictures.filter(({ address }) => gone.every((each) => each.address !== address)));

  const { mutate } = useMutationWithToasts(
    {
      ...uploadPictureMutation(),
      onMutate: () => setUploading((count) => count + 1),
      onSuccess: (address, file) => {
        const alt = wordsOf(file.name);
        perform((passage) => insertBlock(passage, `![${alt}](${address})`));
        if (file.type.startsWith('image/')) setTray((pictures) => [...pictures, { address, alt }]);
      },
      onSettled: () => setUploading((count) => count - 1),
    },
    { success: 'Image uploaded successfully', failure: 'Upload failed' },
  );
  const upload = (files: File[]) => {
    for (const file of files) mutate(file);
  };
  const rewrite = (makeEdit: (text: string) => Edit | null) => {
    const edit = area.current && makeEdit(area.current.value);
    if (edit && area.current) performEditElsewhere(area.current, edit);
  };

  return {
    uploading,
    tray,
    upload,
    take: (data) => {
      const files = [...data.files].filter(({ type }) => /^(image|video)\//.test(type));
      upload(files);
      return files.length > 0;
    },
    list: (pictures) =>
      setTray((known) => [
        ...known.filter(({ address }) => pictures.every((each) => each.address !== address)),
        ...pictures.map((picture) => ({ ...picture })),
      ]),
    describe: (picture, alt) => {
      rewrite((text) => describePicture(text, picture.address, alt));
      if (picture.source === undefined) dismiss([picture]);
      else change(picture.address, { alt });
    },
    fetch: async (picture) => {
      const { address, source, alt } = picture;
      if (!source) return;
      if (!source.startsWith('data:') && !isAllowed(source)) {
        return change(address, {
          problem: 'To copy pictures from other sites, reload this page over https.',
        });
      }
      change(address, { isUploading: true, problem: '' });
      try {
        const here = await uploadMedia(await fetchPicture(source, alt));
        rewrite((text) => movePicture(text, address, here));
        toast.success('Image uploaded successfully');
        setTray((pictures) => pictures.map((each) => (each.address === address ? { address: here, alt } : each)));
      } catch (error) {
        change(address, { isUploading: false, problem: problemOf(error) });
      }
    },
    remove: (picture) => {
      rewrite((text) => movePicture(text, picture.address, ''));
      dismiss([picture]);
    },
    dismiss,
  };
}

/** Derives alt text from a file name: 'fjord at dawn' from 'fjord-at_dawn.png'. */
function wordsOf(fileName: string): string {
  return fileName
    .replace(/\.[^.]+$/, '')
    .replace(/[-_[\]\\]+/g, ' ')
    .trim();
}

function problemOf(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return `Upload failed: ${error instanceof Error ? error.message : error}`;
}
