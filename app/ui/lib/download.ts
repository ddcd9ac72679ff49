/** Hands a text to the browser as a file to keep. */
export function download(text: string, fileName: string, type: 'text/csv' | 'application/json'): void {
  // The mark tells spreadsheets that the text is UTF-8.
  downloadParts(type === 'text/csv' ? ['\uFEFF', text] : [text], fileName, type);
}

/** Hands bytes, in parts, to the browser as a file to keep. */
export function downloadParts(parts: BlobPart[], fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
