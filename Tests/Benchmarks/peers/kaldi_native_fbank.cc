// kaldi-native-fbank in C++: decodes every clip of a list with libsndfile and writes its log-mel rows, 80 bands, float32.
// What C++ programs do with it: no Python, no lists of numbers. It reads and writes as floor.c does.
//
// Usage: kaldi_native_fbank LIST OUTPUT THREADS
//   LIST   a clip on each line: PATH, or PATH<tab>START<tab>COUNT in samples
//   OUTPUT one file for each thread: OUTPUT itself for the first, OUTPUT.1 and so on for the others
#include <sndfile.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "kaldi-native-fbank/csrc/online-feature.h"

namespace {

constexpr size_t clips_at_once = 8;
constexpr int bands = 80;

struct Clip {
    std::string path;
    sf_count_t start = 0, count = -1;
};

[[noreturn]] void die(const std::string &what) {
    std::fprintf(stderr, "kaldi_native_fbank: %s\n", what.c_str());
    std::exit(1);
}

std::vector<Clip> read_list(const char *path) {
    std::ifstream file(path);
    if (!file) die(std::string("cannot read ") + path);
    std::vector<Clip> clips;
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        Clip clip;
        std::string start, count;
        std::getline(fields, clip.path, '\t');
        if (std::getline(fields, start, '\t') && std::getline(fields, count)) {
            clip.start = std::atoll(start.c_str());
            clip.count = std::atoll(count.c_str());
        }
        if (!clip.path.empty()) clips.push_back(clip);
    }
    return clips;
}

/// Decodes clips; a recording stays open for its next segment.
class Reader {
  public:
    ~Reader() {
        if (file_) sf_close(file_);
    }

    const std::vector<float> &read(const Clip &clip) {
        if (!file_ || clip.path != path_) {
            if (file_) sf_close(file_);
            info_ = SF_INFO{};
            file_ = sf_open(clip.path.c_str(), SFM_READ, &info_);
            if (!file_) die("cannot open " + clip.path);
            if (info_.channels != 1) die("more than one channel: " + clip.path);
            path_ = clip.path;
            position_ = 0;
        }
        const sf_count_t count = clip.count < 0 ? info_.frames - clip.start : clip.count;
        if (position_ != clip.start) sf_seek(file_, clip.start, SEEK_SET);
        samples_.resize(count > 0 ? static_cast<size_t>(count) : 0);
        const sf_count_t got = sf_readf_float(file_, samples_.data(), static_cast<sf_count_t>(samples_.size()));
        position_ = clip.start + got;
        samples_.resize(static_cast<size_t>(got));
        return samples_;
    }

    int rate() const { return info_.samplerate; }

  private:
    SNDFILE *file_ = nullptr;
    SF_INFO info_{};
    std::string path_;
    sf_count_t position_ = 0;
    std::vector<float> samples_;
};

/// One thread's share of the clips; the number of its rows.
size_t work(const std::vector<Clip> &clips, std::atomic<size_t> &next, const std::string &output) {
    std::FILE *file = std::fopen(output.c_str(), "wb");
    if (!file) die("cannot create " + output);
    std::setvbuf(file, nullptr, _IOFBF, 1 << 20);
    knf::FbankOptions options;
    options.frame_opts.samp_freq = 16000;
    options.frame_opts.dither = 0;
    options.mel_opts.num_bins = bands;
    Reader reader;
    size_t rows = 0;
    for (;;) {
        const size_t first = next.fetch_add(clips_at_once);
        if (first >= clips.size()) break;
        for (size_t clip = first; clip < std::min(first + clips_at_once, clips.size()); clip++) {
            const std::vector<float> &samples = reader.read(clips[clip]);
            knf::OnlineFbank features(options);
            features.AcceptWaveform(
                static_cast<float>(reader.rate()), samples.data(), static_cast<int32_t>(samples.size()));
            features.InputFinished();
            for (int32_t frame = 0; frame < features.NumFramesReady(); frame++) {
                if (std::fwrite(features.GetFrame(frame), sizeof(float), bands, file) != bands) die("cannot write");
                rows++;
            }
        }
    }
    if (std::fclose(file)) die("cannot write " + output);
    return rows;
}

}  // namespace

int main(int argc, char **argv) {
    const int threads = argc == 4 ? std::atoi(argv[3]) : 0;
    if (threads < 1) die("usage: kaldi_native_fbank LIST OUTPUT THREADS");
    const std::vector<Clip> clips = read_list(argv[1]);
    std::atomic<size_t> next{0};
    std::vector<size_t> rows(static_cast<size_t>(threads));
    std::vector<std::thread> workers;
    for (int number = 0; number < threads; number++)
        workers.emplace_back([&, number] {
            const std::string output = argv[2] + (number ? "." + std::to_string(number) : std::string());
            rows[static_cast<size_t>(number)] = work(clips, next, output);
        });
    for (std::thread &worker : workers) worker.join();
    size_t all = 0;
    for (size_t count : rows) all += count;
    std::printf("%zu clips, %zu frames\n", clips.size(), all);
    return 0;
}
