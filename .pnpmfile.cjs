// Takes what is not published out of a manifest as it is packed.
module.exports = {
  hooks: {
    async beforePacking(manifest) {
      const { keepPublished } = await import("./packages/hasp/scripts/packages.js");
      return manifest.exports === undefined ? manifest : { ...manifest, exports: keepPublished(manifest.exports) };
    },
  },
};
