import type { Editor } from '@tiptap/core';
import { useEffect, useEffectEvent, useState } from 'react';

/** Returns a value that is computed from the editor, and rerenders only if it changes. It must be serialisable. */
export function useEditorState<Value>(editor: Editor, read: (editor: Editor) => Value): Value {
  const [value, setValue] = useState(() => read(editor));
  const readNow = useEffectEvent(read);
  useEffect(() => {
    let lastValue = '';
    const update = () => {
      const next = readNow(editor);
      const text = JSON.stringify(next);
      if (text !== lastValue) setValue(() => next);
      lastValue = text;
    };
    update();
    editor.on('transaction', update);
    return () => void editor.off('transaction', update);
  }, [editor]);
  return value;
}
