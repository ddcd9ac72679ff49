import { useState } from 'react';
import { uploadMedia } from '../../data/media.ts';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.ts';

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

  const uploadOne = async (file: File) => {
    setUploading((count) => count + 1);
    try {
      const url = await uploadMedia(file);
      onMarkdown(`![${wordsOf(file.name)}](${url})`);
      toast.success('Image uploaded successfully');
    } catch (error) {
      tellFailure('Upload failed', error);
    } finally {
      setUploading((count) => count - 1);
    }
  };
  const upload = (files: File[]) => {
    for (const file of files) void uploadOne(file);
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
