/** Reads the body of a request up to a size limit, regardless of content-length. @returns null if it is longer */
export async function readText(request: Request, maxBytes: number): Promise<{ text: string; bytes: number } | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), bytes };
}
