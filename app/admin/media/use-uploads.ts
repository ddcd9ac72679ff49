import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { uploadMedia } from '../../data/media.ts';
import { messageOf } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.ts';

/** More at once would only share the same line. */
const AT_ONCE = 3;

/** What the upload button offers; the server judges files by their content. */
export const ACCEPTED = 'image/*,video/*,audio/*,.pdf,.doc,.docx';

export interface Upload {
  id: number;
  fileName: string;
  /** From 0 to 1. */
  progress: number;
  /** Set when it failed. */
  error?: string;
}

interface Uploads {
  uploads: Upload[];
  add: (files: Iterable<File>) => void;
  /** Cancels an upload that runs or waits; takes a failed one off the list. */
  remove: (id: number) => void;
}

/** Uploads of many files, three at a time. They go on while the person looks at other pages of the admin area. */
export function useUploads(): Uploads {
  const queryClient = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const waiting = useRef<{ id: number; file: File }[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);

  const change = (id: number, values: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
  const drop = (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id));

  const send = async (id: number, file: File, { signal }: AbortController) => {
    try {
      await uploadMedia(file, '', { signal, onProgress: (progress) => change(id, { progress }) });
      drop(id);
      toast.success('File uploaded successfully');
      await queryClient.invalidateQueries({ queryKey: ['media', 'library'] });
    } catch (error) {
      if (signal.aborted) return drop(id);
      change(id, { error: messageOf(error) });
      toast.error('Error uploading file', messageOf(error));
    } finally {
      running.current.delete(id);
      startWaiting();
    }
  };
  const startWaiting = () => {
    while (running.current.size < AT_ONCE) {
      const next = waiting.current.shift();
      if (!next) return;
      const controller = new AbortController();
      running.current.set(next.id, controller);
      void send(next.id, next.file, controller);
    }
  };

  return {
    uploads,
    add(files) {
      const added = Array.from(files, (file) => {
        lastId.current += 1;
        return { id: lastId.current, file };
      });
      setUploads((all) => [...all, ...added.map(({ id, file }) => ({ id, fileName: file.name, progress: 0 }))]);
      waiting.current.push(...added);
      startWaiting();
    },
    remove(id) {
      const controller = running.current.get(id);
      if (controller) return controller.abort();
      waiting.current = waiting.current.filter((upload) => upload.id !== id);
      drop(id);
    },
  };
}
