import pLimit from 'p-limit';
import { useRef, useState } from 'react';
import { Refusal } from '../../ui/lib/refusal.ts';
import { messageOf } from '../../ui/show-error.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { UploadBatch } from '../duplicates.ts';
import { uploadMedia } from '../media.ts';

/** More at once would only share the same line. */
const AT_ONCE = 3;

/** Types that the upload button offers; the server judges files by their content. */
export const ACCEPTED = 'image/*,video/*,audio/*,.pdf,.doc,.docx';

export interface Upload {
  id: number;
  file: File;
  /** Folder of the library that it goes into. */
  folder: string | undefined;
  /** True when it is kept as it was sent, too. */
  keepsOriginal: boolean;
  batch: UploadBatch;
  /** From 0 to 1. */
  progress: number;
  /** True while it waits for the connection. */
  isStalled: boolean;
  /** Set when it failed. */
  error?: string;
  /** True when another try makes sense. */
  canRetry?: boolean;
  /** Cancels it. */
  controller: AbortController;
}

interface Uploads {
  uploads: Upload[];
  add: (files: Iterable<File>) => void;
  /** Sends a failed one again; what has arrived of a large file stays. */
  retry: (upload: Upload) => void;
  /** Cancels an upload that runs or waits; takes a failed one off the list. */
  remove: (upload: Upload) => void;
}

/**
 * Uploads of many files, three at a time. They go on while the person looks at other pages of the admin area.
 * @param folder of the library, that they go into
 * @param keepsOriginal whether they are kept as they were sent, too
 */
export function useUploads(folder: string | undefined, keepsOriginal: boolean): Uploads {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [limit] = useState(() => pLimit(AT_ONCE));
  const lastId = useRef(0);

  const change = (id: number, values: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
  const drop = (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id));

  const { mutate } = useMutationWithToasts(
    {
      mutationKey: ['media', 'upload', 'library'],
      mutationFn: ({ id, file, folder: into, keepsOriginal: keeps, batch, controller: { signal } }: Upload) =>
        limit(() =>
          uploadMedia(file, '', {
            signal,
            folder: into,
            keepsOriginal: keeps,
            batch,
            onProgress: (progress) => change(id, { progress }),
            onStall: (isStalled) => change(id, { isStalled }),
          }),
        ),
      onSuccess: (_address, { id }, _result, { client }) => {
        drop(id);
        return client.invalidateQueries({ queryKey: ['media'] });
      },
      onError: (error, { id }) =>
        change(id, { error: messageOf(error), canRetry: !(error instanceof Refusal), isStalled: false }),
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
      setUploads((all) => all.map((one) => (one.id === upload.id ? withoutError(one) : one)));
      mutate(upload);
    },
    remove({ id, controller }) {
      controller.abort();
      drop(id);
    },
  };
}

function withoutError({ error: _error, canRetry: _canRetry, ...upload }: Upload): Upload {
  return upload;
}

function isCancelled(error: Error): boolean {
  return error.name === 'AbortError';
}
