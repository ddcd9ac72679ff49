import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { uploadMedia } from '../../data/media.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { messageOf } from '../form/message-of.ts';
import { PictureField } from '../form/picture-field.tsx';

interface PictureUploadFieldProps {
  name: string;
  /** Where uploads go in the bucket, with the slash at its end. */
  folder: string;
}

/** The address of a picture, written or got by uploading one. */
export function PictureUploadField({ name, folder }: PictureUploadFieldProps) {
  const { setValue } = useFormContext();
  const input = useRef<HTMLInputElement>(null);
  const [isUploading, setUploading] = useState(false);

  const upload = async (file: File) => {
    setUploading(true);
    try {
      setValue(name, await uploadMedia(file, folder), { shouldDirty: true, shouldValidate: true });
      toast.success('Image uploaded successfully');
    } catch (error) {
      toast.error('Error uploading image', messageOf(error));
    } finally {
      setUploading(false);
    }
  };
  return (
    <div className="grid justify-items-start gap-2 *:w-full">
      <PictureField name={name} label="Picture" help="Without one, a portrait is drawn from the name." />
      <Button
        variant="secondary"
        size="sm"
        loading={isUploading}
        onClick={() => input.current?.click()}
        className="max-w-fit"
      >
        <Upload aria-hidden="true" />
        Upload image
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label="Image file"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void upload(file);
          event.target.value = '';
        }}
      />
    </div>
  );
}
