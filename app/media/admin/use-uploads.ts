import pLimit from 'p-limit';
import { useRef, useState } from 'react';
import { UserError } from '../../ui/lib/user-error.ts';
import { messageOf } from '../../ui/show-error.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { UploadBatch } from '../duplicates.ts';
import { uploadMedia } from '../media.ts';

/** Maximum number of parallel uploads. More uploads would not be faster, because they share the same bandwidth. */
const MAX_PARALLEL = 3;

/** File types of the upload button. The server checks the content. */
export const ACCEPTED_TYPES = 'image/*,video/*,audio/*,.pdf,.doc,.docx';

export interface Upload {
  id: number;
  file: File;
  /** Target folder in the library. */
  folder: string | undefined;
  /** True to keep the original in addition to the converted picture. */
  keepsOriginal: boolean;
  batch: UploadBatch;
  /** Progress from 0 to 1. */
  progress: number;
  /** True while waiting for the connection. */
  isStalled: boolean;
  /** Error message of a failed upload. */
  error?: string;
  /** True if retrying may help. */
  canRetry?: boolean;
  controller: AbortController;
}

interface Uploads {
  uploads: Upload[];
  add: (files: Iterable<File>) => void;
  /** Retries a failed upload. Large files resume. */
  retry: (upload: Upload) => void;
  /** Cancels an upload or dismisses a failed one. */
  remove: (upload: Upload) => void;
}

/**
 * Uploads files, three at a time. Uploads continue when the user opens another admin page.
 * @param folder target folder in the library
 * @param keepsOriginal true to keep the originals in addition to the converted pictures
 */
export function useUploads(folder: string | undefined, keepsOriginal: boolean): Uploads {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [limit] = useState(() => pLimit(MAX_PARALLEL));
  const lastId = useRef(0);

  const change = (id: number, values: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
  const removeFromList = (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id));

  const { mutate } = useMutationWithToasts(
    {
      mutationKey: ['media', 'upload', 'library'],
      mutationFn: ({ id, file, folder: targetFolder, keepsOriginal, batch, controller: { signal } }: Upload) =>
        limit(() =>
          uploadMedia(file, '', {
            signal,
            folder: targetFolder,
            keepsOriginal,
            batch,
            onProgress: (progress) => change(id, { progress }),
            onStall: (isStalled) => change(id, { isStalled }),
          }),
        ),
      onSuccess: (_url, { id }, _result, { client }) => {
        removeFromList(id);
        return client.invalidateQueries({ queryKey: ['media'] });
      },
      onError: (error, { id }) =>
        change(id, { error: messageOf(error), canRetry: !(error instanceof UserError), isStalled: false }),
    },
    { success: 'File uploaded successfully', failure: (error) => (isCancelled(error) ? null : 'Error uploading file') },
  );

  return {
    uploads,
    add(files) {
      const batch: UploadBatch = { size: 0 };
      const added = Array.from(files, (file): Upload => {
        lastId.current += 1;
        return {
          id: lastId.current,
          file,
          folder,
          keepsOriginal,
          batch,
          progress: 0,
          isStalled: false,
          controller: new AbortController(),
        };
      });
      batch.size = added.length;
      setUploads((all) => [...all, ...added]);
      for (const upload of added) mutate(upload);
    },
    retry(upload) {
      setUploads((all) => all.map((item) => (item.id === upload.id ? clearError(item) : item)));
      mutate(upload);
    },
    remove({ id, controller }) {
      controller.abort();
      removeFromList(id);
    },
  };
}

function clearError({ error: _error, canRetry: _canRetry, ...upload }: Upload): Upload {
  return upload;
}

function isCancelled(error: Error): boolean {
  return error.name === 'AbortError';
}
