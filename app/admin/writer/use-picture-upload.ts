import { useState } from 'react';
import { uploadPictureMutation } from '../../data/media.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

interface PictureUpload {
  /** How many are on their way. */
  uploading: number;
  upload: (files: File[]) => void;
  /** Uploads the pictures of a paste or drop. False: there are none, so the browser goes on. */
  take: (data: DataTransfer) => boolean;
}

/** Uploads pictures and hands each over as Markdown, with the file's name as a first description. */
export function usePictureUpload(onMarkdown: (markdown: string) => void): PictureUpload {
  const [uploading, setUploading] = useState(0);
  const { mutate } = useMutationWithToasts(
    {
      ...uploadPictureMutation(),
      onMutate: () => setUploading((count) => count + 1),
      onSuccess: (url, file) => onMarkdown(`![${wordsOf(file.name)}](${url})`),
      onSettled: () => setUploading((count) => count - 1),
    },
    { success: 'Image uploaded successfully', failure: 'Upload failed' },
  );
  const upload = (files: File[]) => {
    for (const file of files) mutate(file);
  };
  const take = (data: DataTransfer) => {
    const pictures = [...data.files].filter((file) => file.type.startsWith('image/'));
    upload(pictures);
    return pictures.length > 0;
  };
  return { uploading, upload, take };
}

/** 'fjord at dawn' from 'fjord-at_dawn.png'. */
function wordsOf(fileName: string): string {
  return fileName
    .replace(/\.[^.]+$/, '')
    .replace(/[-_[\]\\]+/g, ' ')
    .trim();
}
