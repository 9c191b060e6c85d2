import type { ToolContent } from "@hasp/runtime";
import { findImage, blockText, plainText } from "@hasp/runtime/internal";
import type { PlainResult } from "../framework/framework-calls.js";

/** The content that the model reads. Versions of the SDK differ in the format of images. */
export type AiSdkModelOutput<Image = ImageDataPart> =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "content"; value: ({ type: "text"; text: string } | Image)[] };

/** An image for version 6. Version 7 accepts it, too, with a warning. */
export interface ImageDataPart {
  type: "image-data";
  data: string;
  mediaType: string;
}

export interface FilePart {
  type: "file";
  data: { type: "data"; data: string };
  mediaType: string;
}

export type ToImagePart<Image> = (image: Extract<ToolContent, { type: "image" }>) => Image;

export const createImageDataPart: ToImagePart<ImageDataPart> = ({ data, mimeType }) => ({
  type: "image-data",
  data,
  mediaType: mimeType,
});

export const createFilePart: ToImagePart<FilePart> = ({ data, mimeType }) => ({
  type: "file",
  data: { type: "data", data },
  mediaType: mimeType,
});

/** Returns the model's view of an output: an error as an error, images in the format of the SDK's version. */
export function createModelOutput<Image>(
  toImagePart: ToImagePart<Image>,
  { isError, content }: PlainResult,
): AiSdkModelOutput<Image> {
  if (isError) return { type: "error-text", value: plainText(content) };
  const images = content.map(findImage);
  if (images.every((image) => image === undefined)) return { type: "text", value: plainText(content) };
  return {
    type: "content",
    value: content.map((block, index) => {
      const image = images[index];
      return image === undefined ? { type: "text", text: blockText(block) } : toImagePart(image);
    }),
  };
}
