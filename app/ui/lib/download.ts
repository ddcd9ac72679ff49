/** Downloads a text as a file. */
export function download(text: string, fileName: string, type: 'text/csv' | 'application/json'): void {
  // The byte order mark tells spreadsheets that the text is UTF-8.
  downloadParts(type === 'text/csv' ? ['\uFEFF', text] : [text], fileName, type);
}

/** Downloads bytes as a file. */
export function downloadParts(parts: BlobPart[], fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
