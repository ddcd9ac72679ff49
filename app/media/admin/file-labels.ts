import type { MediaFile } from '../media.ts';

const TYPE_LABELS: Readonly<Record<string, string>> = {
  'image/svg+xml': 'SVG',
  'video/quicktime': 'MOV',
  'audio/mpeg': 'MP3',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
};

/** Returns a label such as 'PNG' or 'DOCX'. */
export function fileTypeLabel({ mimetype }: MediaFile): string {
  return TYPE_LABELS[mimetype] ?? mimetype.replace(/^.*\/(x-)?/, '').toUpperCase();
}

/** Formats '1 file' or '12 files'. */
export function formatFileCount(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** Returns the `accept` attribute for the file types that can replace a file. */
export function replacementTypes({ mimetype }: MediaFile): string {
  const [kind = ''] = mimetype.split('/');
  return ['image', 'video', 'audio'].includes(kind) ? `${kind}/*` : '.pdf,.doc,.docx';
}
