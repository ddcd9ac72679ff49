import type { UseMutationOptions } from '@tanstack/react-query';
import { toast } from '../ui/toast.ts';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { logoError } from './logo-file.ts';

/** Validates and uploads a logo. */
export function useLogoUpload<Uploaded>(
  mutation: UseMutationOptions<Uploaded, Error, File>,
  onUploaded: (uploaded: Uploaded) => void,
) {
  const { mutate, isPending } = useMutationWithToasts(mutation, {
    success: 'Image uploaded successfully',
    failure: 'Upload failed',
  });
  const upload = ([file]: File[]) => {
    if (!file) return;
    const error = logoError(file);
    if (error) return toast.error(error.title, error.message);
    mutate(file, { onSuccess: onUploaded });
  };
  return { upload, isUploading: isPending };
}
