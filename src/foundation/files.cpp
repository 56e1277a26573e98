#include "foundation/files.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>

#include "foundation/codes.hpp"

namespace vesalius {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& file, Diagnostics& sink, std::size_t most) {
  const Location where{file.string(), 0, 0, {}};
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) {
    sink.error(codes::io_not_found, "there is no such file", where);
    return std::nullopt;
  }
  if (fs::is_directory(status)) {
    sink.error(codes::io_cannot_read, "this is a folder; expected a file", where);
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    sink.error(codes::io_cannot_read, std::string("cannot be opened: ") + std::strerror(errno), where);
    return std::nullopt;
  }
  return read_stream(in, where.file, sink, most);
}

std::optional<std::string> read_stream(std::istream& in, const std::string& name, Diagnostics& sink, std::size_t most) {
  std::string bytes;
  std::vector<char> block(std::size_t{1} << 18);
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto got = static_cast<std::size_t>(in.gcount());
    if (bytes.size() + got > most) {
      sink.error(codes::io_too_large, "is larger than " + std::to_string(most) + " bytes", {name, 0, 0, {}});
      return std::nullopt;
    }
    bytes.append(block.data(), got);
  }
  if (in.bad()) {
    sink.error(codes::io_cannot_read, "reading failed after " + std::to_string(bytes.size()) + " bytes", {name, 0, 0, {}});
    return std::nullopt;
  }
  return bytes;
}

bool is_gzip(std::string_view bytes) noexcept {
  return bytes.size() > 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

std::optional<std::string> gunzip(std::string_view bytes, const std::string& name, Diagnostics& sink, std::size_t most) {
  const Location where{name, 0, 0, {}};
  z_stream stream{};
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (inflateInit2(&stream, gzip_only) != Z_OK) {
    sink.error(codes::io_bad_gzip, "the decompressor cannot be started", where);
    return std::nullopt;
  }
  std::string out;
  std::vector<char> block(std::size_t{1} << 18);
  std::size_t fed = 0;
  int status = Z_OK;
  bool good = true;
  while (good) {
    if (stream.avail_in == 0 && fed < bytes.size()) {
      const std::size_t take = std::min(bytes.size() - fed, std::size_t{1} << 20);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + fed));  // zlib's interface is not const
      stream.avail_in = static_cast<uInt>(take);
      fed += take;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(block.data(), block.size() - stream.avail_out);
    if (out.size() > most) {
      sink.error(codes::io_too_large, "expands to more than " + std::to_string(most) + " bytes", where);
      good = false;
    } else if (status == Z_STREAM_END) {
      const bool more = stream.avail_in > 0 || fed < bytes.size();
      if (!more) break;
      // Behind the data stands another member, or what gzip itself passes over.
      const std::size_t at = fed - stream.avail_in;
      if (!is_gzip(bytes.substr(at))) {
        if (bytes.find_first_not_of('\0', at) != std::string_view::npos)
          sink.warning(codes::io_bad_gzip, std::to_string(bytes.size() - at) + " bytes behind the gzip data were passed over", where);
        break;
      }
      if (inflateReset(&stream) != Z_OK) good = false;
    } else if (status != Z_OK) {
      sink.error(codes::io_bad_gzip, "gzip data are damaged or cut off after " + std::to_string(out.size()) + " bytes", where);
      good = false;
    }
  }
  inflateEnd(&stream);
  if (!good) return std::nullopt;
  return out;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_header = 16 + MAX_WBITS;
  constexpr int memory_level = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_header, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  std::vector<char> block(std::size_t{1} << 18);
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && !bytes.empty()) {
      const std::size_t take = std::min(bytes.size(), std::size_t{1} << 20);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib's interface is not const
      stream.avail_in = static_cast<uInt>(take);
      bytes.remove_prefix(take);
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(block.data(), block.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

namespace {

/// Temporary files that vanish unless they were renamed.
class Pending {
 public:
  ~Pending() {
    std::error_code ignored;
    for (const fs::path& path : paths_) {
      if (!path.empty()) fs::remove(path, ignored);
    }
  }
  void add(fs::path path) { paths_.push_back(std::move(path)); }
  [[nodiscard]] const fs::path& operator[](std::size_t i) const { return paths_[i]; }
  void done(std::size_t i) { paths_[i].clear(); }

 private:
  std::vector<fs::path> paths_;
};

}  // namespace

bool write_files(std::span<const FileContents> files, Diagnostics& sink) {
  static std::atomic<unsigned> counter{0};
  Pending pending;
  for (const auto& [target, bytes] : files) {
    const Location where{target.string(), 0, 0, {}};
    if (std::error_code error; fs::is_directory(target, error)) {
      sink.error(codes::io_cannot_write, "is a folder; expected a file name", where);
      return false;
    }
    fs::path temporary = target;
    temporary += ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    pending.add(temporary);
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
      sink.error(codes::io_cannot_write, std::string("cannot be written: ") + std::strerror(errno), where);
      return false;
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::error_code error;
    fs::rename(pending[i], files[i].first, error);
    if (error) {
      sink.error(codes::io_cannot_write, "cannot be written: " + error.message(), {files[i].first.string(), 0, 0, {}});
      return false;
    }
    pending.done(i);
  }
  return true;
}

}  // namespace vesalius
