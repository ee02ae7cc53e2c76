import { describe, expect, it } from 'vitest';
import { featuresOf, rejectedFeature } from './features.ts';

const asked = featuresOf('claude-opus-4-6');

describe('rejected features', () => {
  it.each([
    'This model does not support image input.',
    'messages.3.content.0.content.1: Unsupported content block type: image',
    'No endpoints found that support image input',
    'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    'Invalid content type. image_url is only supported by certain models.',
    'At most 0 image(s) may be provided in one request.',
    "Input tag 'image' found using 'type' does not match any of the expected tags: 'text'",
    'x is not a multimodal model',
    'Vision is not currently enabled for this model',
  ])('X2: sends no more images to a model that refuses them: %s', (message) => {
    expect(rejectedFeature({ status: 400, text: message }, asked)).toEqual({ feature: 'images', isLasting: true });
  });

  it.each([
    'Could not process image',
    'messages.5.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 7034044 bytes > 5242880 bytes',
    'At least one of the image dimensions exceed max allowed size: 8000 pixels',
    'Unsupported image format: only image/jpeg and image/png are supported',
    'The image was specified using the image/jpeg media type, but does not appear to be a valid jpeg image',
    'Failed to decode image: not a supported picture',
    'Too many images in one request',
  ])('X2: an error of one image affects no other request: %s', (message) => {
    expect(rejectedFeature({ status: 400, text: message }, asked)).toEqual({ feature: 'images', isLasting: false });
  });

  it.each(['unsupported revision of the API', 'division by zero', 'imagery', 'bad'])(
    'X2: words that only look like it are about something else: %s',
    (message) => expect(rejectedFeature({ status: 400, text: message }, asked)).toBeNull(),
  );

  it('an unused feature does not count as refused', () => {
    expect(rejectedFeature({ status: 400, text: 'images are not supported' }, { ...asked, images: false })).toBeNull();
  });
});
