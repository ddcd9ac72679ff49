import { useState } from 'react';
import { uploadMedia } from '../../data/media.ts';
import { toast } from '../../ui/toast.ts';
import { messageOf } from './message-of.ts';

/** Uploads the picture of a field and hands over its address. */
export function usePictureFieldUpload(onAddress: (address: string) => void, folder = '') {
  const [uploading, setUploading] = useState(false);
  const send = async (file: File) => {
    setUploading(true);
    try {
      onAddress(await uploadMedia(file, folder));
      toast.success('Image uploaded successfully');
    } catch (error) {
      toast.error('Error uploading image', messageOf(error));
    } finally {
      setUploading(false);
    }
  };
  return {
    uploading,
    upload: ([file]: File[]) => {
      if (file) void send(file);
    },
  };
}
