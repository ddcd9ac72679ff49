import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { uploadPictureMutation } from './media.ts';

/** Uploads the picture of a field and hands over its address. */
export function usePictureFieldUpload(onAddress: (address: string) => void, folder = '') {
  const { mutate, isPending } = useMutationWithToasts(uploadPictureMutation(folder), {
    success: 'Image uploaded successfully',
    failure: 'Error uploading image',
  });
  return {
    uploading: isPending,
    upload: ([file]: File[]) => {
      if (file) mutate(file, { onSuccess: onAddress });
    },
  };
}
