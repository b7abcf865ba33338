/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libsquashfuse can read file systems compressed with LZO, and ours is not. This stands in for the
 * one function of liblzo2, so that the library is no part of the AppImage.
 */

int lzo1x_decompress_safe(const unsigned char *in, unsigned long size, unsigned char *out,
			  unsigned long *out_size, void *work);

int lzo1x_decompress_safe(const unsigned char *in, unsigned long size, unsigned char *out,
			  unsigned long *out_size, void *work)
{
	(void)in, (void)size, (void)out, (void)out_size, (void)work;
	return -1;
}
