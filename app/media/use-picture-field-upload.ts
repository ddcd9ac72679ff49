import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { uploadPictureMutation } from './media.ts';

/** Uploads a picture and calls `onUrl` with its URL. */
export function usePictureFieldUpload(onUrl: (url: string) => void, folder = '') {
  const { mutate, isPending } = useMutationWithToasts(uploadPictureMutation(folder), {
    success: 'Image uploaded successfully',
    failure: 'Could not upload the image',
  });
  return {
    isUploading: isPending,
    upload: ([file]: File[]) => {
      if (file) mutate(file, { onSuccess: onUrl });
    },
  };
}
